# The program lies in the slot that boot.py chose. One that cannot even begin restarts the board: starts are counted,
# and after some the slot before runs again. The pause is for whoever wants to stop that over USB.
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
