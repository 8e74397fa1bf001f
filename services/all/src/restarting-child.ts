import { type Child, startChild } from './child.js'
import type { Failure } from './failure.js'

/**
 * Like `startChild`, for one of several replicas: a process that ends unexpectedly is restarted. `died` resolves only
 * when a restart fails.
 */
export function startRestartingChild(name: string, file: string, env: NodeJS.ProcessEnv): Child {
  let child = startChild(name, file, env)
  const { ready } = child
  const supervise = async (): Promise<never> => {
    await ready
    for (;;) {
      const failure = await child.died
      console.error(`figbase-server: ${failure.message}: restarting it`)
      child = startChild(name, file, env)
      await child.ready
      console.error(`figbase-server: the ${name} process was restarted`)
    }
  }
  return {
    ready,
    died: supervise().catch((failure: Failure) => failure),
    stop: () => child.stop(),
    kill: () => child.kill(),
    get pid() {
      return child.pid
    },
  }
}
