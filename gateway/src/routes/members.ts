import { z } from 'zod'

/**
 * A body whose unknown members are refused, for routes that the public clients do not call: those send back what
 * they have read, and more. What `answer` shows may come along, and is ignored unless it is in `shape`.
 */
export function closedBody<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer?: z.ZodObject,
): z.ZodObject<Shape, z.core.$strict> {
  const shown = Object.keys(answer?.shape ?? {}).map((name) => [name, readOnly])
  return z.strictObject({ ...Object.fromEntries(shown), ...shape })
}

const readOnly = z.unknown().optional().meta({ readOnly: true })

/** Members of bodies that several routes share. */
export const name = z.string('must be a string')
export const description = z.string('must be a string or null').nullish()
export const idText = z.string('must be a UUID')

/** Compared, not matched: a pattern would overflow the stack on a long text. */
export const base64 = z
  .string('must be base64')
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be base64')

/** `silent=true`: the activity log keeps the entry and hides it. */
export const silentQuery = z.object({ silent: z.string().optional() })
export const isSilent = ({ silent }: { silent?: string | undefined }): boolean => isTrue(silent)

/** `shallow=true`: without what is in the object. */
export const shallowQuery = z.object({ shallow: z.string().optional() })
export const isShallow = ({ shallow }: { shallow?: string | undefined }): boolean => isTrue(shallow)

/** A switch in a query: `true` or `1`. */
export const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1'

/** An id in a body that may be anything; for checks before the body is known to be valid. */
export function idIn(body: unknown, member: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[member]
  return typeof value === 'string' ? value : ''
}

export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
