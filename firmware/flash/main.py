# The program lies in the slot that boot.py chose. If it cannot even begin, the board restarts: starts are counted, and
# after a few the previous slot runs again. The pause lets a person stop this over USB.
try:
    from tablestation.boards.pico import main
except Exception as error:  # noqa: BLE001 (whatever it is, another slot may do better)
    import sys
    import time

    import machine

    sys.print_exception(error)
    time.sleep(5)
    machine.reset()
main()
