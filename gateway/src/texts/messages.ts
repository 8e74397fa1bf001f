import { readMessages } from '@figbase/kit/messages'
import type english from '../../messages/en.json'

export type MessageKey = keyof typeof english
export type Messages = Record<MessageKey, string>

export const messagesOf: ReadonlyMap<string, Messages> = readMessages(
  new URL('../../../messages/', import.meta.url),
)
