"""One module for each way to do the shapes; each runs where its library is installed."""
