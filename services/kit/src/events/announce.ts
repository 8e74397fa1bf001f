import type { WakeSignal } from '../timing/wake-signal.js'
import type { Bus } from './bus/port.js'

/** Wakes the relay of a service, in whichever process it runs, after events were published. */
export type RelayNotifier = Disposable & {
  wakeRelay(): void
  /** Notifies the wake signal of this process when another process has published. */
  listen(): Promise<AsyncDisposable>
  /** Runs the relay in this process; meanwhile no broadcast is needed. */
  runRelay(relay: () => Promise<void>): Promise<void>
}

// Notifications within this time are combined.
const coalesceMs = 2

export function createRelayNotifier(
  bus: Bus,
  service: string,
  wakeSignal: WakeSignal,
): RelayNotifier {
  const subject = `outbox.${service}`
  let isLocal = false
  let timer: NodeJS.Timeout | undefined
  const broadcast = () => {
    timer = undefined
    // A lost broadcast only delays the relay until its next poll.
    bus.broadcast(subject, null).catch(() => {})
  }
  return {
    wakeRelay() {
      if (isLocal) wakeSignal.notify()
      else timer ??= setTimeout(broadcast, coalesceMs)
    },
    listen: () =>
      bus.listen(
        subject,
        () => wakeSignal.notify(),
        () => wakeSignal.notify(),
      ),
    async runRelay(relay) {
      isLocal = true
      try {
        await relay()
      } finally {
        isLocal = false
      }
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
