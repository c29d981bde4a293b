"""The web page: the live board in the browser, its control, the stream overlay and the phone as a camera."""
