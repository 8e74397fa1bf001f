import { type Child, startChild } from './child.js'
import type { Failure } from './failure.js'

/**
 * As `startChild`, for a process that has others beside it: when it ends by itself it is started
 * again. Only one that does not come up has died.
 */
export function startKeptChild(name: string, file: string, env: NodeJS.ProcessEnv): Child {
  let child = startChild(name, file, env)
  const { ready } = child
  const keep = async (): Promise<never> => {
    await ready
    for (;;) {
      const failure = await child.died
      console.error(`figbase: ${failure.message}: starting it again`)
      child = startChild(name, file, env)
      await child.ready
      console.error(`figbase: the ${name} process is back`)
    }
  }
  return {
    ready,
    died: keep().catch((failure: Failure) => failure),
    stop: () => child.stop(),
    kill: () => child.kill(),
    get pid() {
      return child.pid
    },
  }
}
