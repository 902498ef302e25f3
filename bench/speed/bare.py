"""What a server is measured beside: a FastAPI application with one route, whose answer is as long as is asked."""

from fastapi import FastAPI


def create() -> FastAPI:
    """The application."""
    app = FastAPI()

    @app.get("/bare")
    async def bare(size: int = 0) -> dict[str, str]:
        return {"answer": "x" * size}

    return app
