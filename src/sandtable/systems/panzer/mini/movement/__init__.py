"""9.0 Basic Movement Phase: any way that a hand can draw, judged inch by inch and driven inch by inch."""
