import { setImmediate } from 'node:timers/promises'

/**
 * What is asked for one by one is done together: `work` gets all that was asked since it was called
 * last, and answers each in its place. It never runs twice at a time.
 */
export function grouped<Asked, Answer>(
  work: (asked: Asked[]) => Promise<Map<Asked, Answer>>,
): (one: Asked) => Promise<Answer | undefined> {
  let isWorking = false
  let waiting = new Map<Asked, { resolve(answer?: Answer): void; reject(error: unknown): void }>()
  const workOn = async () => {
    isWorking = true
    while (waiting.size > 0) {
      // Those that one thing has woken ask one after the other.
      await setImmediate()
      const some = waiting
      waiting = new Map()
      try {
        const answers = await work([...some.keys()])
        for (const [one, { resolve }] of some) resolve(answers.get(one))
      } catch (error) {
        for (const { reject } of some.values()) reject(error)
      }
    }
    isWorking = false
  }
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.set(one, { resolve, reject })
      if (!isWorking) void workOn()
    })
}
