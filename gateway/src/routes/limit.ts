import { z } from 'zod'

/** A whole number; `documented` is for the OpenAPI document. */
const countQuery = (min: number, documented: { description?: string } = {}) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to 999999999`)
    .transform(Number)
    .refine((count) => count >= min, `must be at least ${min}`)
    .optional()
    .meta({ ...documented, type: 'integer', minimum: min, pattern: undefined })

type Limits = { standard: number; max: number }

/** `limit` of a query: a whole number from 1. */
export const limitQuery = ({ standard, max }: Limits) =>
  countQuery(1, {
    description: `How many items to list at most. The default is ${standard}; more than ${max} count as ${max}.`,
  })

/** A number of a query, from 1. */
export const numberQuery = countQuery(1)

/** `offset` of a query: a whole number from 0. */
export const offsetQuery = countQuery(0)

/** The limit to apply: the standard if there is none, and at most the maximum. */
export const clampLimit = (limit: number | undefined, { standard, max }: Limits): number =>
  Math.min(limit ?? standard, max)

/** The header with the limit that was applied. */
export const limitHeader = (limit: number): Record<string, string> => ({ 'x-limit': String(limit) })
