import { announcing, learnAnnouncer } from "../src/announcer/words";
import { NAMES, screensOf } from "../src/games";
import { learnHost } from "../src/host/words";
import { LANGUAGES, learn } from "../src/lib/words";
import { learnCard } from "../src/card/words";
import { learnLesson } from "../src/lesson/words";
import { learnOverlay } from "../src/overlay/words";
import { learnProducer } from "../src/producer/words";
import { learnAmbient } from "../src/ambient/words";
import { learnBox } from "../src/box/words";
import { learnPaper } from "../src/paper/words";
import { learnDisplays } from "../src/displays/words";
import { learnReplay } from "../src/replay/words";
import { learnSound } from "../src/sound/words";
import { learnStations } from "../src/stations/words";
import { learnTabletop } from "../src/tabletop/words";
import { learnWays } from "../src/ways/words";

for (const language of Object.keys(LANGUAGES)) {
  await learn(language);
  await learnOverlay(language);
  await learnProducer(language);
  await learnHost(language);
  await learnAnnouncer(language);
  await learnCard(language);
  await learnBox(language);
  await learnPaper(language);
  await learnDisplays(language);
  await learnReplay(language);
  await learnLesson(language);
  await learnSound(language);
  await learnStations(language);
  await learnTabletop(language);
  await learnWays(language);
  for (const name of NAMES) {
    await learnAmbient(language, name);
    const screens = await screensOf(name, language);
    if (screens) Object.assign(screens.words[language]!, await announcing(language, name));
  }
}
