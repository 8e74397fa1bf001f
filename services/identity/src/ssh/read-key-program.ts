import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { KeyProblem, type KeyText, type ReadKey, readKey } from './read-key.js'

/** Child process that reads keys: OpenSSL and bcrypt can be interrupted only by ending the process. */
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
