import { learn } from "../src/lib/words";

await learn("en");
await learn("fr");
