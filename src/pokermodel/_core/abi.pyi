NUMBER: int
