import type { Figbase } from '@figbase/client'
import { usageError } from '../failure.js'
import { isId, pathOf } from '../reference.js'

const ofPage = /^\/(?:git-repository|api\/v[\d.]+\/git_repository)\/([\w-]+)(?:\/|$)/

/** The id of a Git repository, from the id or the address of its page. */
export function repositoryIdOf(figbase: Figbase, text: string): string {
  if (isId(text)) return text
  const [, id = ''] = /^https?:\/\//.test(text) ? (ofPage.exec(pathOf(figbase, text)) ?? []) : []
  if (isId(id)) return id
  throw usageError(`${text} is not the id of a Git repository, nor the address of its page`)
}

export const repositoryPage = ({ url }: Figbase, id: string): string =>
  `${url}/git-repository/${id}/`
