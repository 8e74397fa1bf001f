import { z } from 'zod'

/** Markdown; stored unchanged. */
export const content = z.string('must be a string')
