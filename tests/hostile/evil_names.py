"""Gives functions, files, classes and lines names of terminal codes and HTML. Earns nothing."""

EARNS = ()
SAYS = ("your code raised <script>alert(2)",)


Evil = type("<script>alert(2)</script>\x1b[31m", (Exception,), {})


def raiser():
    raise Evil("</pre><img src=x onerror=alert(3)>\x1b]0;owned\x07\r\n[bold red]{{ 7*7 }}")  # [2J<script>alert(4)</script>


raiser.__code__ = raiser.__code__.replace(co_name="<script>alert(5)</script>\x1b[2J")


def causal_mask(size):
    raiser()
