from fault import Area
AREA = Area("admin", [])
