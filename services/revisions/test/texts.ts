import { actAsSystem } from '@figbase/kit'
import { TextSource } from '@figbase/proto/revisions'
import type { Bench } from './service.js'

/** The texts of revisions, with the first letters of where they are from, in order. */
export async function textsOf({ client }: Pick<Bench, 'client'>, ...revisionIds: string[]) {
  const found: [string, string][] = []
  for await (const one of client.readTexts({ revisionIds }, actAsSystem())) {
    found.push([TextSource[one.source].toLowerCase(), one.text])
  }
  return found
}

/** Waits until no text is looked for any more. */
export const waiting = ({ query }: Pick<Bench, 'query'>) =>
  query<{ attempts: number }>(
    `select attempts from job where name in ('process-revision', 'extract-text') and state <> 'dead'`,
  )
