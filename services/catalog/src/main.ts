import { serve } from '@figbase/kit'
import { catalog } from './index.js'

await serve(catalog)
