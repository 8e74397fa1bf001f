import { serve } from '@figbase/kit'
import { revisions } from './index.js'

await serve(revisions)
