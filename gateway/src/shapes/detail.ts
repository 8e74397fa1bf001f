import { z } from 'zod'

/** What was done, in words for people. */
export const detailSchema = z.object({ detail: z.string() })
