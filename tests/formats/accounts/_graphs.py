"""What networkx finds in a file, where it is installed (python3-networkx of Debian)."""

try:
    import networkx
except ImportError:
    networkx = None


def elements_by(read, path, **options):
    """Nodes and links by networkx' function of that name; None without it."""
    if networkx is None:
        return None
    graph = getattr(networkx, read)(path, **options)
    return graph.number_of_nodes(), graph.number_of_edges()
