"""Pages and notebook forms of the classic programs."""
