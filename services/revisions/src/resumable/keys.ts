import type { Ctx } from '../context.js'

/** Where the objects of an upload are: among others in one of 256 folders, and in the default store. */
export const segmentPrefix = (id: string): string => `resumable/${id.slice(-2)}/${id}-`

/** Of one object that is an upload's. */
export const segmentKey = (ctx: Pick<Ctx, 'newId'>, id: string): string =>
  `${segmentPrefix(id)}${ctx.newId()}`
