"""The words of the physical table: frozen values only, no behaviour, nothing imported from other rooms."""
