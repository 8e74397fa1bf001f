import { type MailTexts, readMailTexts } from '@figbase/kit/mail'
import type english from '../../messages/en.json'

export const textsOf: (language: string) => MailTexts<keyof typeof english> = readMailTexts(
  new URL('../../../messages/', import.meta.url),
)
