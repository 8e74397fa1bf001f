import { z } from 'zod'

const countQuery = (min: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to 999999999`)
    .transform(Number)
    .refine((count) => count >= min, `must be at least ${min}`)
    .optional()

/** `limit` of a query: a whole number from 1. */
export const limitQuery = countQuery(1)

/** `offset` of a query: a whole number from 0. */
export const offsetQuery = countQuery(0)

/** The limit to apply: the standard if there is none, and at most the maximum. */
export const clampLimit = (
  limit: number | undefined,
  { standard, max }: { standard: number; max: number },
): number => Math.min(limit ?? standard, max)

/** The header with the limit that was applied. */
export const limitHeader = (limit: number): Record<string, string> => ({ 'x-limit': String(limit) })
