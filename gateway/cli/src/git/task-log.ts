import type { Figbase, Schemas } from '@figbase/client'

type Line = Schemas['TaskLogLine']

/** Reads the lines that a task has logged since the last call. The server keeps the newest ones. */
export function createTaskLog(figbase: Figbase, id: string): () => Promise<string[]> {
  let last: Line | undefined
  return async () => {
    const { logs } = await figbase.get('/tasks/{task_id}/logs/', { path: { task_id: id } })
    const added = logs.slice(logs.findLastIndex((one) => isSame(one, last)) + 1)
    last = added.at(-1) ?? last
    return added.map(({ line }) => line)
  }
}

const isSame = (one: Line, other: Line | undefined) =>
  one.at === other?.at && one.line === other.line
