import { z } from 'zod'

/** A message for people. */
export const detailSchema = z.object({ detail: z.string() })
