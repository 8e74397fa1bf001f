import type { Endpoint, Input } from '../endpoint.js'

const shape = /^[0-9a-zA-Z]{9,16}$/

export const mayBeShortId = (text: string): boolean => shape.test(text)

/**
 * The api_id of the figure revision that `text` names, by its api_id or its short id. A short id that
 * nobody has stays as it is: it is refused where an api_id that nobody has is refused, in the same words.
 */
export async function revisionId(
  { services, call }: Pick<Input, 'services' | 'call'>,
  text: string,
): Promise<string> {
  if (!mayBeShortId(text)) return text
  const { id } = await services.revisions.resolveShortId({ shortId: text }, call)
  return id || text
}

/** Whether the path of an endpoint or a page names a figure revision, by whichever id. */
export const namesRevision = ({ path }: Endpoint): boolean => /^\/r(evision)?\/:id\//.test(path)
