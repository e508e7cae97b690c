"""Form, columns and checks of CiAIS games (`ciais`)."""
