import { z } from 'zod'

/** Markdown, which is stored as it comes. */
export const content = z.string('must be a string')
