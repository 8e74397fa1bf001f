import { digitsOf } from '@figbase/kit/text'

/** The minor units of an amount that a reader typed: `12.50` or `12,50`. Undefined if it is none. */
export function minorOf(typed: string, currency: string): bigint | undefined {
  const digits = digitsOf(currency)
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(typed.trim()) ?? []
  if (!whole || part.length > digits) return undefined
  return BigInt(whole + part.padEnd(digits, '0'))
}
