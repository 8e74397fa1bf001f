import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { KeyProblem, type KeyText, type ReadKey, readKey } from './read-key.js'

/** The program of a process that reads keys for its parent: only its end interrupts OpenSSL and bcrypt. */
export type ReadKeyOptions = { memoryBytesMax: number; bcryptRoundsMax: number }
export type ReadKeyReply = ReadKey | { field: KeyProblem['field']; reason: string }

const { memoryBytesMax, bcryptRoundsMax } = optionsOfParent<ReadKeyOptions>()

answerParent<KeyText, ReadKeyReply>(memoryBytesMax, async (text) => {
  try {
    return readKey(text, bcryptRoundsMax)
  } catch (error) {
    if (error instanceof KeyProblem) return { field: error.field, reason: error.reason }
    throw error
  }
})
