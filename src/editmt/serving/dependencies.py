"""What a route may ask for: the server, and whose request it is.

They wait for nothing, and are `async` all the same: FastAPI would hand others over to threads.
"""

from typing import Annotated

from fastapi import Depends, Request

from editmt.serving.keys import Key
from editmt.serving.service import Service


async def get_service(request: Request) -> Service:
    """Return the server that a request came to."""
    service: Service = request.app.state.service
    return service


async def get_key(request: Request) -> Key | None:
    """Return the key that a request came with."""
    key: Key | None = request.scope["state"].get("key")
    return key


ServiceOf = Annotated[Service, Depends(get_service)]
KeyOf = Annotated[Key | None, Depends(get_key)]
