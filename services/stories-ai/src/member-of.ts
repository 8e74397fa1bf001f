import type { Slide } from '@figbase/proto/stories'

type Request = { revisionIds?: string[] | undefined; slides?: Slide[] | undefined }

/** The member of a request that names a revision. */
export function memberOf({ revisionIds = [], slides = [] }: Request, id: string): string {
  const at = revisionIds.findIndex((one) => one.toLowerCase() === id)
  if (at >= 0) return `revisions[${at}]`
  return `slides[${slides.findIndex((one) => one.revisionId.toLowerCase() === id)}].revision_id`
}
