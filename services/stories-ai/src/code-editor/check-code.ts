import { fileURLToPath } from 'node:url'
import {
  ChildExited,
  ChildTimedOut,
  createProcessPool,
  type ProcessPool,
} from '@figbase/kit/processes'
import type { AiConfig } from '../model/config.js'
import type { CheckOptions, CheckReply, CheckRequest } from './check-program.js'

export type CheckPool = ProcessPool<CheckRequest, CheckReply>

export function createCheckPool(cfg: AiConfig): CheckPool {
  const options: CheckOptions = { memoryBytesMax: cfg.codeCheckMemoryBytesMax }
  const path = fileURLToPath(new URL('./check-program.js', import.meta.url))
  return createProcessPool({ path, options, concurrency: 1, timeoutMs: cfg.codeCheckTimeoutMs })
}

/** Why code cannot run, as far as a parser can tell; null: it knows no reason. */
export async function checkCode(
  pool: CheckPool,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return (await pool.ask(request, signal)).problem
  } catch (error) {
    if (error instanceof ChildTimedOut || error instanceof ChildExited) {
      return 'the code is too large or too deeply nested to be checked'
    }
    throw error
  }
}
