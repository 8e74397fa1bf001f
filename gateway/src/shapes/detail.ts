import { z } from 'zod'

/** A message for people. */
export const detailSchema = z
  .object({ detail: z.string() })
  .meta({ id: 'Message', description: 'A message for people.' })
