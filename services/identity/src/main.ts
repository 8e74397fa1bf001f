import { serve } from '@figbase/kit'
import { identity } from './index.js'

await serve(identity)
