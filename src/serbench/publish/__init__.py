"""From a folder of run files to what can be published: history and site."""
