import { actAsSystem } from '@figbase/kit/rpc'
import { TextSource } from '@figbase/proto/revisions'
import type { Bench } from './service.js'

/** The texts of revisions in order, with the first letters of their sources. */
export async function textsOf({ client }: Pick<Bench, 'client'>, ...revisionIds: string[]) {
  const found: [string, string][] = []
  for await (const one of client.readTexts({ revisionIds }, actAsSystem())) {
    found.push([TextSource[one.source].toLowerCase(), one.text])
  }
  return found
}

/** Waits until no text job is left. */
export const textJobsDone = ({ query }: Pick<Bench, 'query'>) =>
  query<{ attempts: number }>(
    `select attempts from job where name in ('process-revision', 'extract-text') and state <> 'dead'`,
  )
