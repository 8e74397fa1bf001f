import { z } from 'zod'

/** Marks a member that is accepted, but has no effect. The OpenAPI document omits it. */
export const ignored = { ignored: true }

/**
 * A body that rejects unknown members, for routes that the public clients do not call: those send additional
 * members. Members of the response schema `answer` are allowed, and ignored unless they are in `shape`.
 */
export function closedBody<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer?: z.ZodObject,
): z.ZodObject<Shape, z.core.$strict> {
  const shown = Object.keys(answer?.shape ?? {}).map((name) => [name, readOnly])
  return z.strictObject({ ...Object.fromEntries(shown), ...shape })
}

const readOnly = z.unknown().optional().meta(ignored)

/** Members of bodies that several routes share. */
export const name = z.string('must be a string')
export const description = z.string('must be a string or null').nullish()
export const idText = z.string('must be a UUID').meta({ format: 'uuid' })

/** Decodes and compares: a regular expression would overflow the stack for long texts. */
export const base64 = z
  .string('must be base64')
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be base64')
  .meta({ contentEncoding: 'base64' })

/** Reads an id from an unvalidated body, for permission checks before the validation. */
export function idIn(body: unknown, member: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[member]
  return typeof value === 'string' ? value : ''
}
