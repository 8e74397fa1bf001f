import type { EnvReader } from '@figbase/kit/config'
import type { FigureTextLimits } from './describe-figure.js'

export const readFigureTextLimits = (env: EnvReader): FigureTextLimits => ({
  codeCharsMax: env.positiveInt(
    'SEARCH_CODE_CHARS_MAX',
    200_000,
    'how many characters of each code of a figure are read for what it means',
  ),
  passageCharsMax: env.positiveInt(
    'SEARCH_PASSAGE_CHARS_MAX',
    200,
    'maximum length of each of the up to three texts by which semantic search knows a figure, in characters',
  ),
  wordsCharsMax: env.positiveInt(
    'SEARCH_WORDS_CHARS_MAX',
    20_000,
    'maximum length of the words that the code of a figure means, in characters',
  ),
})
