import { serve } from '@figbase/kit'
import { comments } from './index.js'

await serve(comments)
