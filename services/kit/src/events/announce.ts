import type { Bell } from './bell.js'
import type { Bus } from './bus/port.js'

/** Tells the relay of a service, in whichever process it runs, that something was published. */
export type Announcer = Disposable & {
  announce(): void
  /** From now on, the bell of this process rings when another one announces. */
  listen(): Promise<AsyncDisposable>
  /** Runs the relay here: as long as it does, nobody else needs to be told. */
  relaying(relay: () => Promise<void>): Promise<void>
}

// Together, what is announced within this time.
const quietMs = 2

export function createAnnouncer(bus: Bus, service: string, bell: Bell): Announcer {
  const subject = `outbox.${service}`
  let isHere = false
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    // Unheard, it costs the rest of a relay, which also looks by itself.
    bus.broadcast(subject, null).catch(() => {})
  }
  return {
    announce() {
      if (isHere) bell.ring()
      else timer ??= setTimeout(tell, quietMs)
    },
    listen: () =>
      bus.listen(
        subject,
        () => bell.ring(),
        () => bell.ring(),
      ),
    async relaying(relay) {
      isHere = true
      try {
        await relay()
      } finally {
        isHere = false
      }
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
