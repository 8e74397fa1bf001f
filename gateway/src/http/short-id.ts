import type { Input, Route } from '../endpoint.js'

const shape = /^[0-9a-zA-Z]{9,16}$/

export const mayBeShortId = (text: string): boolean => shape.test(text)

/**
 * Resolves the api_id or short id of a figure revision to its api_id. An unknown short id is returned
 * unchanged: the service rejects it with the same error as an unknown api_id.
 */
export async function revisionId(
  { services, call }: Pick<Input, 'services' | 'call'>,
  text: string,
): Promise<string> {
  if (!mayBeShortId(text)) return text
  const { id } = await services.revisions.resolveShortId({ shortId: text }, call)
  return id || text
}

/** Whether `:id` in the path of an API route or HTML page identifies a figure revision. */
export const namesRevision = ({ path }: Route): boolean => /^\/r(evision)?\/:id\//.test(path)
