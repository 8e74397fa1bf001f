import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A version 4 UUID, for everything with an `api_id`: a client rewrites the version bits of other versions. */
export const newId = (): string => randomUUID()

/** A version 7 UUID, ordered by time, for internal ids. */
export const newOrderedId = (): string => v7()

export const isUuid = (text: string): boolean => uuidPattern.test(text)
