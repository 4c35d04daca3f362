import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { watchParts } from "./lib/anew";
import { languageOf, learn } from "./lib/words";

watchParts();
const language = languageOf(new URL(location.href).searchParams, navigator.languages);
void learn(language).then(() => mount(App, { target: document.getElementById("app")!, props: { language } }));
